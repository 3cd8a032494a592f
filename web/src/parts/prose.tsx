import { Fragment, type VNode } from "preact";
import { paragraphs, type Span } from "./markup";

/** Somebody's words, as text with a little formatting. */
export function Prose({ text }: { text: string }): VNode {
  return (
    <div class="prose">
      {paragraphs(text).map((lines, p) => (
        <p key={p}>
          {lines.map((line, l) => (
            <Fragment key={l}>
              {l > 0 && <br />}
              {line.map(show)}
            </Fragment>
          ))}
        </p>
      ))}
    </div>
  );
}

function show(span: Span, index: number): VNode {
  if (span.kind === "emphasis") return <em key={index}>{span.text}</em>;
  if (span.kind === "strong") return <strong key={index}>{span.text}</strong>;
  return <Fragment key={index}>{span.text}</Fragment>;
}
