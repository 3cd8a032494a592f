import type { VNode } from "preact";
import { Button } from "./parts/button";
import { Icon } from "./parts/icon";
import { Door } from "./rooms/door/door";
import { PersonaSheet } from "./rooms/persona/persona-sheet";
import { Settings } from "./rooms/settings/settings";
import { Talk } from "./rooms/talk/talk";
import { Welcome } from "./rooms/welcome/welcome";
import { away, persona, personaOpen, room, settingsOpen, status } from "./session";
import { explainTrouble, words } from "./words";

/** The house: which room is open, and what lies over all of them. */
export function App(): VNode {
  return (
    <>
      {away.value && room.value !== "opening" && (
        <p class="away" role="status">
          <Icon name="clock" />
          <span>{words.value.away.banner}</span>
        </p>
      )}
      {!away.value && room.value === "talk" && <Trouble />}
      <Open />
      {settingsOpen.value && <Settings />}
      {personaOpen.value && persona.value !== null && <PersonaSheet key={persona.value.id} persona={persona.value} />}
    </>
  );
}

/** The first thing that troubles the daemon, in one line; the settings tell the rest. */
function Trouble(): VNode | null {
  const trouble = status.value?.troubles[0];
  if (trouble === undefined) return null;
  return (
    <div class="house-trouble" role="status">
      <Icon name="warning" />
      <span>{explainTrouble(trouble).message}</span>
      <Button look="quiet" onClick={() => (settingsOpen.value = true)}>{words.value.talk.lookAtIt}</Button>
    </div>
  );
}

function Open(): VNode {
  switch (room.value) {
    case "opening":
      return <Opening />;
    case "door":
      return <Door />;
    case "welcome":
      return <Welcome />;
    case "talk":
      return persona.value === null ? <Welcome /> : <Talk key={persona.value.id} persona={persona.value} />;
  }
}

function Opening(): VNode {
  const w = words.value;
  return (
    <main class="opening" aria-busy={!away.value}>
      <Icon name="vessel" />
      <p role="status">{away.value ? w.away.message : w.common.loading}</p>
      {away.value && <p class="hint">{w.away.remedy}</p>}
    </main>
  );
}
