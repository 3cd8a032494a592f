import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useArrival } from "../../parts/arrival";
import { Button, IconButton } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { ModelForm } from "../../parts/model-form";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { meet, personas, refreshStatus, room, settingsOpen, status } from "../../session";
import type { Persona } from "../../wire/types";
import { words } from "../../words";
import { CardDrop } from "./card-drop";
import { MakeForm } from "./make-form";
import { Shelf } from "./shelf";

type Step = { at: "choose" } | { at: "make" } | { at: "model"; who: Persona };

/** The first room: someone to talk to, then something they think with. */
export function Welcome(): VNode {
  const [step, setStep] = useState<Step>({ at: "choose" });
  const greeting = useAttempt();

  async function arrived(who: Persona): Promise<void> {
    await greeting.run(async () => {
      await refreshStatus();
      if (status.value?.model.connected === true) await meet(who);
      else setStep({ at: "model", who });
    });
  }
  async function goOn(who: Persona): Promise<void> {
    await greeting.run(() => meet(who));
  }

  return (
    <main class="welcome">
      <Top onBack={back(step, setStep)} />
      {greeting.trouble !== null && <FreshTrouble said={greeting.trouble} />}
      {step.at === "choose" && <Choose onArrived={(who) => void arrived(who)} onMake={() => setStep({ at: "make" })} />}
      {step.at === "make" && <MakeForm onMade={(who) => void arrived(who)} />}
      {step.at === "model" && <ThinkWith onGoOn={() => void goOn(step.who)} />}
    </main>
  );
}

/** Where "back" leads, if anywhere. */
function back(step: Step, setStep: (step: Step) => void): (() => void) | null {
  if (step.at === "make") return () => setStep({ at: "choose" });
  if (step.at === "choose" && personas.value.length > 0) return () => (room.value = "talk");
  return null;
}

function Top({ onBack }: { onBack: (() => void) | null }): VNode {
  const w = words.value;
  return (
    <header class="welcome-top">
      {onBack === null ? <span class="mark"><Icon name="vessel" /> EchoVessel</span> : (
        <Button look="quiet" icon="back" onClick={onBack}>
          {w.common.back}
        </Button>
      )}
      <IconButton icon="settings" label={w.talk.settings} onClick={() => (settingsOpen.value = true)} />
    </header>
  );
}

function Choose({ onArrived, onMake }: { onArrived(who: Persona): void; onMake(): void }): VNode {
  const w = words.value.welcome;
  const heading = useArrival();
  return (
    <>
      <div class="welcome-lead">
        <h1 ref={heading} tabIndex={-1}>{w.title}</h1>
        <p>{w.about}</p>
      </div>
      <section aria-labelledby="shelf-title">
        <h2 id="shelf-title">{w.shelf}</h2>
        <Shelf onArrived={onArrived} />
      </section>
      <section aria-labelledby="own-title">
        <h2 id="own-title">{w.own}</h2>
        <div class="own">
          <button type="button" class="tile" onClick={onMake}>
            <Icon name="pen" />
            <strong>{w.make}</strong>
            <span>{w.makeAbout}</span>
          </button>
          <CardDrop onArrived={onArrived} />
        </div>
      </section>
    </>
  );
}

function ThinkWith({ onGoOn }: { onGoOn(): void }): VNode {
  const w = words.value.model;
  const heading = useArrival();
  return (
    <section class="sheet-like" aria-labelledby="model-title">
      <h1 id="model-title" ref={heading} tabIndex={-1}>{w.title}</h1>
      <p>{w.about}</p>
      <ModelForm profile="" onSaved={onGoOn} />
      <div class="without">
        <p>{w.none}</p>
        <Button onClick={onGoOn}>{w.without}</Button>
      </div>
    </section>
  );
}
