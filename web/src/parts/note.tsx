import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words, type Said } from "../words";
import { Icon, type IconName } from "./icon";

/** What went wrong with what was just done: brought into sight, wherever the page is scrolled to. */
export function FreshTrouble({ said }: { said: Said }): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), [said]);
  return (
    <div ref={place} class="fresh-trouble">
      <TroubleNote said={said} />
    </div>
  );
}

/** What is wrong and what to do about it, read out at once. */
export function TroubleNote({ said, children }: { said: Said; children?: ComponentChildren }): VNode {
  return (
    <Note tone="trouble" icon="warning" role="alert">
      <p class="note-lead">{said.message}</p>
      {said.remedy !== "" && <p>{said.remedy}</p>}
      {said.exactly !== undefined && <p class="hint">{words.value.talk.saidExactly(said.exactly)}</p>}
      {children}
    </Note>
  );
}

export function Note(props: {
  tone: "plain" | "good" | "trouble";
  icon: IconName;
  role?: "alert" | "status" | "note";
  children: ComponentChildren;
}): VNode {
  return (
    <div class={`note note-${props.tone}`} role={props.role ?? "note"}>
      <Icon name={props.icon} />
      <div class="note-body">{props.children}</div>
    </div>
  );
}
