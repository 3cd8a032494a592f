import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { FreshTrouble, Note } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { api } from "../../wire/api";
import type { ImportedPersona, Persona } from "../../wire/types";
import { words, type Said } from "../../words";

/** The daemon takes no larger card. */
const MOST_BYTES = 20 * 1024 * 1024;

/** A place to drop a character card on; as a button it opens the file chooser. */
export function CardDrop({ onArrived }: { onArrived(who: Persona): void }): VNode {
  const w = words.value.welcome;
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [tooBig, setTooBig] = useState<Said | null>(null);
  const [noted, setNoted] = useState<ImportedPersona | null>(null);
  const read = useAttempt();

  async function take(file: File | undefined): Promise<void> {
    setOver(false);
    if (file === undefined) return;
    setNoted(null);
    read.forget();
    setTooBig(file.size > MOST_BYTES ? { message: w.cardTooBig, remedy: w.cardTooBigRemedy } : null);
    if (file.size <= MOST_BYTES) await read.run(async () => arrive(await api.importCard(file)));
  }

  /** Who comes with notes about the card waits until they are read. */
  function arrive(who: ImportedPersona): void {
    if (who.left_out.length === 0) onArrived(who);
    else setNoted(who);
  }

  const trouble = tooBig ?? read.trouble;
  return (
    <div
      class="card-drop"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <button type="button" class={over ? "tile tile-over" : "tile"} disabled={read.busy} onClick={() => chooser.current?.click()}>
        <Icon name="card" />
        <strong>{w.card}</strong>
        <span>{read.busy ? w.cardReading : over ? w.cardDrop : w.cardAbout}</span>
      </button>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".png,.json,.charx,image/png,application/json"
        aria-label={w.cardChoose}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      {trouble !== null && <FreshTrouble said={trouble} />}
      {noted !== null && (
        <Note tone="good" icon="card" role="status">
          <p class="note-lead">{w.cardNotes(noted.name)}</p>
          {noted.left_out.map((sentence) => <p key={sentence}>{sentence}</p>)}
          <Button look="main" onClick={() => onArrived(noted)}>
            {w.meet(noted.name)}
          </Button>
        </Note>
      )}
    </div>
  );
}
