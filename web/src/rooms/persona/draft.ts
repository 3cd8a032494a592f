/** What is written in the persona's sheet, and what of it is new. Pure. */
import type { CoreBlock, Persona, PersonaChange } from "../../wire/types";

/** The core blocks that belong to the persona. */
const LABELS = ["persona", "style"] as const;
type Label = (typeof LABELS)[number];

export type Draft = { name: string; tagline: string } & Record<Label, string>;

export interface Changes {
  persona: PersonaChange | null;
  blocks: { label: Label; text: string; base_revision: number }[];
}

function block(blocks: readonly CoreBlock[], label: Label): { text: string; revision: number } {
  return blocks.find((one) => one.label === label) ?? { text: "", revision: 0 };
}

/** The sheet as it is opened. */
export function held(persona: Persona, blocks: readonly CoreBlock[]): Draft {
  const { name, tagline } = persona;
  return { name, tagline, persona: block(blocks, "persona").text, style: block(blocks, "style").text };
}

/** Only what differs is sent; each block with the revision that it was written over. */
export function changesOf(draft: Draft, persona: Persona, blocks: readonly CoreBlock[]): Changes {
  const change: PersonaChange = {
    ...(draft.name.trim() === persona.name ? {} : { name: draft.name.trim() }),
    ...(draft.tagline.trim() === persona.tagline ? {} : { tagline: draft.tagline.trim() }),
  };
  const written = LABELS.flatMap((label) => {
    const { text, revision } = block(blocks, label);
    return draft[label].trim() === text.trim() ? [] : [{ label, text: draft[label], base_revision: revision }];
  });
  return { persona: Object.keys(change).length === 0 ? null : change, blocks: written };
}
