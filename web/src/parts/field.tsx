import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import type { Said } from "../words";
import { FreshTrouble } from "./note";

interface Common {
  label: string;
  hint?: string;
  value: string;
  /** What is wrong with what stands here; it is told beneath. */
  trouble?: Said | null;
  onText(text: string): void;
}

interface LabelledProps {
  id: string;
  label: string;
  hint?: string | undefined;
  trouble?: Said | null | undefined;
  children: ComponentChildren;
}

function Labelled(props: LabelledProps): VNode {
  return (
    <div class="field">
      <label for={props.id}>{props.label}</label>
      {props.children}
      {props.hint !== undefined && <p class="hint" id={`${props.id}-hint`}>{props.hint}</p>}
      {props.trouble != null && <FreshTrouble said={props.trouble} />}
    </div>
  );
}

export interface TextFieldProps extends Common {
  type?: "text" | "password";
  keyboard?: "text" | "url" | "decimal";
  required?: boolean;
  autofocus?: boolean;
  placeholder?: string;
  suggestions?: readonly string[];
}

export function TextField(props: TextFieldProps): VNode {
  const id = useId();
  const list = props.suggestions === undefined ? undefined : `${id}-list`;
  return (
    <Labelled id={id} label={props.label} hint={props.hint} trouble={props.trouble}>
      <input
        id={id}
        type={props.type ?? "text"}
        inputMode={props.keyboard ?? "text"}
        aria-invalid={props.trouble == null ? undefined : "true"}
        value={props.value}
        required={props.required}
        autofocus={props.autofocus}
        placeholder={props.placeholder}
        autocomplete="off"
        spellcheck={false}
        list={list}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {list !== undefined && (
        <datalist id={list}>
          {props.suggestions?.map((one) => <option key={one} value={one} />)}
        </datalist>
      )}
    </Labelled>
  );
}

export function LongField(props: Common & { rows?: number }): VNode {
  const id = useId();
  return (
    <Labelled id={id} label={props.label} hint={props.hint} trouble={props.trouble}>
      <textarea
        id={id}
        rows={props.rows ?? 3}
        value={props.value}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
    </Labelled>
  );
}

export function Choice<T extends string>(props: {
  label: string;
  hint?: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChoose(value: T): void;
}): VNode {
  const id = useId();
  return (
    <Labelled id={id} label={props.label} hint={props.hint}>
      <select id={id} value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value as T)}>
        {props.options.map(([value, word]) => (
          <option key={value} value={value} selected={value === props.value}>
            {word}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A few alternatives side by side. */
export function Switch<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChoose(value: T): void;
}): VNode {
  const name = useId();
  return (
    <fieldset class="switch">
      <legend>{props.label}</legend>
      <div class="switch-options">
        {props.options.map(([value, word]) => (
          <label key={value}>
            <input type="radio" name={name} checked={value === props.value} onChange={() => props.onChoose(value)} />
            <span>{word}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
