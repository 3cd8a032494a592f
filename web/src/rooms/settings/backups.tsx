import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { FreshTrouble, Note } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { zone } from "../../session";
import { api } from "../../wire/api";
import type { Backup, Backups } from "../../wire/types";
import { locale, words } from "../../words";
import { momentLabel } from "../../parts/days";

/** The newest are enough here; the folder has them all. */
const SHOWN = 6;

/** What would be left if this computer broke: which backups there are, whether they hold, and one more now. */
export function BackupSection(): VNode {
  const w = words.value.backups;
  const [kept, setKept] = useState<Backups | null>(null);
  const load = useAttempt();
  const make = useAttempt();
  const refresh = async (): Promise<void> => setKept(await api.backups());
  useEffect(() => void load.run(refresh), []);

  async function makeOne(): Promise<void> {
    await make.run(async () => {
      await api.makeBackup();
      await refresh();
    });
  }
  const elsewhere = kept !== null && kept.folder === "";
  return (
    <section>
      <h2>{w.title}</h2>
      {kept !== null && <p class="hint">{elsewhere ? w.elsewhere : kept.every_h > 0 ? w.every(String(kept.every_h)) : w.never}</p>}
      {kept !== null && kept.failing !== "" && (
        <Note tone="trouble" icon="warning" role="alert">
          <p class="note-lead">{w.failing}</p>
          <p>{kept.failing}</p>
        </Note>
      )}
      {kept !== null && kept.items.length > 0 && (
        <ul class="backups">
          {kept.items.slice(0, SHOWN).map((backup) => <One key={backup.id} backup={backup} />)}
        </ul>
      )}
      {load.trouble !== null && <FreshTrouble said={load.trouble} />}
      {make.trouble !== null && <FreshTrouble said={make.trouble} />}
      {!elsewhere && (
        <div class="row">
          <Button disabled={make.busy || kept === null} onClick={() => void makeOne()}>
            {make.busy ? w.making : w.make}
          </Button>
        </div>
      )}
      {kept !== null && !elsewhere && <p class="hint">{w.where} <code>{kept.folder}</code></p>}
    </section>
  );
}

function One({ backup }: { backup: Backup }): VNode {
  const w = words.value.backups;
  const number = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 });
  const facts = [w.reasons[backup.reason], w.messages(number.format(backup.messages)), `${number.format(backup.bytes / 1e6)} MB`];
  return (
    <li>
      <strong>{momentLabel(backup.made_at, zone.value, locale.value)}</strong>
      <span class="hint">{facts.join(" · ")}</span>
      {backup.wrong !== "" && <span class="backup-wrong">{w.wrong} {backup.wrong}</span>}
      {backup.holds_deleted && <span class="hint">{w.holdsDeleted}</span>}
    </li>
  );
}
