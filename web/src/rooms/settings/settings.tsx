import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { chooseTheme, theme, THEMES, type Theme } from "../../look";
import { Button } from "../../parts/button";
import { Switch, TextField } from "../../parts/field";
import { FreshTrouble, TroubleNote } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { Sheet } from "../../parts/sheet";
import { knownZone, me, refreshStatus, settingsOpen, status } from "../../session";
import { api } from "../../wire/api";
import { chooseLocale, explainTrouble, locale, words, type Locale } from "../../words";
import { BackupSection } from "./backups";
import { ModelSection } from "./model-section";
import { UsageSection } from "./usage";

/** A sheet over whatever room is open. */
export function Settings(): VNode {
  const w = words.value;
  const load = useAttempt();
  useEffect(() => void load.run(refreshStatus), []);

  return (
    <Sheet title={w.settings.title} onClosed={() => (settingsOpen.value = false)}>
      {load.trouble !== null && <FreshTrouble said={load.trouble} />}
      {status.value?.troubles.map((trouble) => <TroubleNote key={trouble.code} said={explainTrouble(trouble)} />)}
      <Look />
      <You />
      <ModelSection />
      <UsageSection />
      <BackupSection />
      <About />
    </Sheet>
  );
}

function Look(): VNode {
  const w = words.value.settings;
  const tell = useAttempt();
  async function speak(next: Locale): Promise<void> {
    chooseLocale(next);
    await tell.run(async () => {
      me.value = await api.changeMe({ locale: next });
    });
  }
  return (
    <section>
      <h2>{w.look}</h2>
      <Switch<Locale>
        label={w.language}
        value={locale.value}
        options={[["zh", "中文"], ["en", "English"]]}
        onChoose={(next) => void speak(next)}
      />
      {tell.trouble !== null && <FreshTrouble said={tell.trouble} />}
      <Switch<Theme>
        label={w.theme}
        value={theme.value}
        options={THEMES.map((one) => [one, w.themes[one]] as const)}
        onChoose={chooseTheme}
      />
    </section>
  );
}

function You(): VNode {
  const w = words.value;
  const [name, setName] = useState(me.value?.name ?? "");
  const [zone, setZone] = useState(me.value?.zone ?? "");
  const [saved, setSaved] = useState(false);
  const save = useAttempt();
  const known = knownZone(zone.trim()) !== null;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setSaved(
      await save.run(async () => {
        me.value = await api.changeMe({ name: name.trim(), zone: zone.trim() });
      }),
    );
  }
  function edit(set: (text: string) => void): (text: string) => void {
    return (text) => {
      setSaved(false);
      set(text);
    };
  }

  return (
    <section>
      <h2>{w.settings.you}</h2>
      <form onSubmit={(event) => void submit(event)}>
        <TextField label={w.settings.yourName} hint={w.settings.yourNameHint} value={name} onText={edit(setName)} />
        <TextField
          label={w.settings.zone}
          hint={known ? w.settings.zoneHint : w.settings.zoneUnknown}
          value={zone}
          required
          suggestions={Intl.supportedValuesOf("timeZone")}
          onText={edit(setZone)}
        />
        {save.trouble !== null && <FreshTrouble said={save.trouble} />}
        <div class="row">
          <Button type="submit" disabled={!known || save.busy}>
            {w.common.save}
          </Button>
          <span class="hint" role="status">{saved ? w.common.saved : ""}</span>
        </div>
      </form>
    </section>
  );
}

function About(): VNode | null {
  const w = words.value.settings;
  const now = status.value;
  if (now === null) return null;
  return (
    <section>
      <h2>{w.about}</h2>
      <dl class="facts">
        <dt>{w.version}</dt>
        <dd>EchoVessel {now.version}</dd>
        <dt>{w.home}</dt>
        <dd><code>{now.home}</code></dd>
      </dl>
    </section>
  );
}
