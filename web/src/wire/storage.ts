/** The browser's store for small things, or one that lasts as long as the page where the browser refuses. */
import { memoryStorage } from "./memory-storage";

function usable(of: () => Storage): Storage | null {
  try {
    const probe = "echovessel.probe";
    of().setItem(probe, probe);
    of().removeItem(probe);
    return of();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** All tabs share it. */
export const storage: Storage = usable(() => localStorage) ?? memoryStorage();
/** This tab's own: it outlasts a reload. */
export const tabStorage: Storage = usable(() => sessionStorage) ?? memoryStorage();
