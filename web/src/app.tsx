import type { VNode } from "preact";
import { Icon } from "./parts/icon";
import { Door } from "./rooms/door/door";
import { PersonaSheet } from "./rooms/persona/persona-sheet";
import { Settings } from "./rooms/settings/settings";
import { Talk } from "./rooms/talk/talk";
import { Welcome } from "./rooms/welcome/welcome";
import { away, persona, personaOpen, room, settingsOpen } from "./session";
import { words } from "./words";

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
      <Open />
      {settingsOpen.value && <Settings />}
      {personaOpen.value && persona.value !== null && <PersonaSheet key={persona.value.id} persona={persona.value} />}
    </>
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
