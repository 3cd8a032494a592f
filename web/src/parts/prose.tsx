import { Fragment, type VNode } from "preact";
import { blocks, type Block, type Line, type Span } from "./markup";

/** Somebody's words, as text with a little formatting. */
export function Prose({ text }: { text: string }): VNode {
  return <div class="prose">{blocks(text).map((block, at) => <BlockView key={at} block={block} />)}</div>;
}

function BlockView({ block }: { block: Block }): VNode {
  if (block.kind !== "list") return block.kind === "quote" ? <blockquote>{broken(block.lines)}</blockquote> : <p>{broken(block.lines)}</p>;
  const items = block.lines.map((line, at) => <li key={at}>{line.map(show)}</li>);
  return block.from === null ? <ul>{items}</ul> : <ol start={block.from}>{items}</ol>;
}

function broken(lines: readonly Line[]): VNode[] {
  return lines.map((line, at) => (
    <Fragment key={at}>
      {at > 0 && <br />}
      {line.map(show)}
    </Fragment>
  ));
}

function show(span: Span, index: number): VNode {
  switch (span.kind) {
    case "emphasis":
      return <em key={index}>{span.text}</em>;
    case "strong":
      return <strong key={index}>{span.text}</strong>;
    case "code":
      return <code key={index}>{span.text}</code>;
    case "plain":
      return <Fragment key={index}>{span.text}</Fragment>;
  }
}
