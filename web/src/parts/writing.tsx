import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface WritingProps {
  value: string;
  label: string;
  id?: string;
  placeholder?: string;
  focused?: boolean;
  /** On a touch screen Enter begins a new line, and only the button sends. */
  enterSends?: boolean;
  onText(text: string): void;
  onEnter(): void;
  onEscape?(): void;
}

/** Enter that means "done": not while an input method is composing, nor with Shift. */
export function meansDone(event: Pick<KeyboardEvent, "key" | "shiftKey" | "isComposing" | "keyCode">): boolean {
  // Safari ends the composition before it tells of the Enter that ended it; only keyCode 229 still says so.
  return event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

/** A text field of several lines that grows with its text. */
export function Writing(props: WritingProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (props.focused !== true) return;
    field.current?.focus();
    field.current?.setSelectionRange(props.value.length, props.value.length);
  }, [props.focused]);

  function onKeyDown(event: KeyboardEvent): void {
    if (props.enterSends !== false && meansDone(event)) {
      event.preventDefault();
      props.onEnter();
    } else if (event.key === "Escape" && !event.isComposing && props.onEscape !== undefined) {
      event.stopPropagation();
      props.onEscape();
    }
  }

  return (
    <div class="writing" data-text={props.value}>
      <textarea
        ref={field}
        id={props.id}
        rows={1}
        value={props.value}
        aria-label={props.label}
        placeholder={props.placeholder}
        enterkeyhint={props.enterSends === false ? "enter" : "send"}
        onInput={(event) => props.onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
