import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Avatar } from "../../parts/avatar";
import { IconButton } from "../../parts/button";
import { plainText } from "../../parts/markup";
import { TroubleNote } from "../../parts/note";
import { away, personaOpen, welcomeGuest } from "../../session";
import type { Persona } from "../../wire/types";
import { words } from "../../words";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { People } from "./people";
import { Search } from "./search";
import { speakerOf } from "./speaker";
import { TimelineView } from "./timeline-view";

/** The room where one talks with a persona. */
export function Talk({ persona }: { persona: Persona }): VNode {
  const conversation = useMemo(() => new Conversation(persona.id), [persona.id]);
  const [searching, setSearching] = useState(false);
  const [peopleOpen, setPeopleOpen] = useState(false);
  useEffect(() => {
    const leave = welcomeGuest(conversation);
    conversation.opened(false);
    return leave;
  }, [conversation]);

  return (
    <div class={searching ? "talk talk-searching" : "talk"}>
      <nav class="people-side" aria-label={words.value.talk.people}>
        <People />
      </nav>
      {peopleOpen && <PeopleDrawer onClose={() => setPeopleOpen(false)} />}
      <main class="room">
        <Head
          persona={persona}
          conversation={conversation}
          onPeople={() => setPeopleOpen(true)}
          onSearch={() => setSearching((open) => !open)}
        />
        <TimelineView conversation={conversation} persona={persona} />
        <Foot conversation={conversation} persona={persona} />
      </main>
      {searching && <Search conversation={conversation} persona={persona} onClose={() => setSearching(false)} />}
    </div>
  );
}

function Head(props: { persona: Persona; conversation: Conversation; onPeople(): void; onSearch(): void }): VNode {
  const w = words.value.talk;
  const { persona } = props;
  const phases = away.value ? [] : props.conversation.live.value.map((live) => live.phase);
  const doing = phases.includes("writing") ? w.writing : phases.length > 0 ? w.reading : null;
  return (
    <header class="room-head">
      <span class="only-narrow">
        <IconButton icon="menu" label={w.menu} onClick={props.onPeople} />
      </span>
      <Avatar name={persona.name} />
      <div class="room-who">
        <h1>
          <button type="button" class="room-name" title={w.about(persona.name)} onClick={() => (personaOpen.value = true)}>
            {persona.name}
          </button>
        </h1>
        <p class={doing === null ? "room-tagline" : "room-tagline room-doing"}>{doing ?? persona.tagline}</p>
      </div>
      <IconButton icon="search" label={w.search} onClick={props.onSearch} />
    </header>
  );
}

function Foot({ conversation, persona }: { conversation: Conversation; persona: Persona }): VNode {
  const trouble = conversation.trouble.value;
  return (
    <footer class="room-foot">
      {trouble !== null && <TroubleNote said={trouble} />}
      <Composer conversation={conversation} persona={persona} />
      <Announcer conversation={conversation} persona={persona} />
    </footer>
  );
}

/** Tells those who hear the page that the persona writes, and then what it said, whole. */
function Announcer({ conversation, persona }: { conversation: Conversation; persona: Persona }): VNode {
  const w = words.value.talk;
  const writing = conversation.writing.value;
  const said = conversation.announced.value;
  const told = said === null || said.text === "" ? "" : `${w.says(speakerOf(said, persona))} ${plainText(said.text)}`;
  return (
    <p class="unseen" role="status" aria-live="polite">
      {writing ? w.isWriting(persona.name) : told}
    </p>
  );
}

function PeopleDrawer({ onClose }: { onClose(): void }): VNode {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => drawer.current?.showModal(), []);
  return (
    <dialog
      ref={drawer}
      class="drawer"
      aria-label={words.value.talk.people}
      onClose={onClose}
      onClick={(event) => event.target === drawer.current && drawer.current?.close()}
    >
      <People onDone={() => drawer.current?.close()} />
    </dialog>
  );
}
