import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words";
import { IconButton } from "./button";

/** What lies over a room, at its side; Escape, a click beside it and the cross close it. */
export function Sheet(props: { title: string; onClosed(): void; children: ComponentChildren }): VNode {
  const sheet = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => sheet.current?.showModal(), []);
  return (
    <dialog
      ref={sheet}
      class="sheet"
      aria-labelledby={title}
      onClose={props.onClosed}
      onClick={(event) => event.target === sheet.current && sheet.current?.close()}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h1 id={title}>{props.title}</h1>
          <IconButton icon="close" label={words.value.common.close} onClick={() => sheet.current?.close()} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
