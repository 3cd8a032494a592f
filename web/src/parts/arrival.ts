/** Coming to a new view: it is seen from its top, and those who hear the page begin at its heading. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** For the heading of a view; give the heading `tabIndex={-1}`. */
export function useArrival(): RefObject<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
