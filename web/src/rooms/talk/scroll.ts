/** Where the timeline is scrolled to: it stays at the end while new words come, and still while older ones are added above. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "./conversation";

const NEAR_PX = 80;
/** Older words are fetched this far before they come into sight. */
const AHEAD = "600px 0px";

export interface Scroll {
  atEnd: boolean;
  /** Something was said below what is in sight. */
  news: boolean;
  toEnd(): void;
}

export function useScroll(area: RefObject<HTMLElement>, conversation: Conversation, letters: number): Scroll {
  const { messages } = conversation.timeline.value;
  const [first, last] = [messages[0]?.id, messages.at(-1)?.id];
  const [atEnd, setAtEnd] = useState(true);
  const [news, setNews] = useState(false);
  const pinned = useRef(true);
  const height = useRef(0);

  function toEnd(): void {
    pinned.current = true;
    if (area.current !== null) area.current.scrollTop = area.current.scrollHeight;
  }

  useEffect(() => watch(area.current, pinned, height, setAtEnd), []);
  useEffect(() => watchEdges(area.current, conversation), [first, last]);

  // Words added above move everything down by their height: move back by as much.
  useLayoutEffect(() => {
    const box = area.current;
    if (box === null) return;
    if (pinned.current) toEnd();
    else if (height.current > 0) box.scrollTop += box.scrollHeight - height.current;
    height.current = box.scrollHeight;
  }, [first]);

  useEffect(() => {
    setNews(!pinned.current && conversation.timeline.value.upToNow);
  }, [last]);
  useEffect(() => {
    if (atEnd) setNews(false);
  }, [atEnd]);
  useEffect(() => {
    if (letters > 0) toEnd();
  }, [letters]);

  const found = conversation.found.value;
  useEffect(() => {
    if (found === null) return;
    pinned.current = false;
    const message = document.getElementById(`m-${found.id}`);
    message?.scrollIntoView({ block: "center" });
    message?.focus({ preventScroll: true });
  }, [found]);

  return { atEnd, news, toEnd };
}

/** Follow the end while the content grows, and notice when the person scrolls away from it. */
function watch(
  box: HTMLElement | null,
  pinned: RefObject<boolean>,
  height: RefObject<number>,
  setAtEnd: (at: boolean) => void,
): (() => void) | undefined {
  if (box === null) return undefined;
  const onScroll = (): void => {
    pinned.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
    setAtEnd(pinned.current);
  };
  const sizes = new ResizeObserver(() => {
    if (pinned.current === true) box.scrollTop = box.scrollHeight;
    height.current = box.scrollHeight;
  });
  sizes.observe(box);
  for (const child of box.children) sizes.observe(child);
  box.addEventListener("scroll", onScroll, { passive: true });
  return () => {
    sizes.disconnect();
    box.removeEventListener("scroll", onScroll);
  };
}

function watchEdges(box: HTMLElement | null, conversation: Conversation): (() => void) | undefined {
  if (box === null) return undefined;
  const edges = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        const older = entry.target.classList.contains("edge-older");
        void (older ? conversation.loadOlder() : conversation.loadNewer());
      }
    },
    { root: box, rootMargin: AHEAD },
  );
  for (const edge of box.querySelectorAll(".edge")) edges.observe(edge);
  return () => edges.disconnect();
}
