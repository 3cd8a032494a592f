/** The browser's store for small things, or one that lasts as long as the page where the browser refuses. */
import { memoryStorage } from "./memory-storage";

function usable(): Storage | null {
  try {
    const probe = "echovessel.probe";
    localStorage.setItem(probe, probe);
    localStorage.removeItem(probe);
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export const storage: Storage = usable() ?? memoryStorage();
