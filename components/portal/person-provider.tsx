"use client";

import { createContext, type ReactNode, useContext } from "react";

const PersonContext = createContext<string | null>(null);

/**
 * Provides the id of the signed-in person (`""` on the sign-in page). A different person remounts everything below, so
 * that no state of the previous one remains.
 */
export function PersonProvider({ id, children }: { id: string; children: ReactNode }) {
  return (
    <PersonContext key={id} value={id}>
      {children}
    </PersonContext>
  );
}

/** The id of the signed-in person. Use it to keep data of one person from the next one who signs in. */
export function usePerson(): string {
  const person = useContext(PersonContext);
  if (person === null) throw new Error("usePerson needs a Person around it");
  return person;
}
