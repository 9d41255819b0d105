"use client";

import { createContext, type ReactNode, useContext } from "react";

const PersonContext = createContext<string | null>(null);

/**
 * Says to all within who is signed in, by id (`""` at the door, where nobody is). Of another person everything within begins
 * anew: nothing that was drawn, chosen or written for the one before is there for them.
 */
export function PersonProvider({ id, children }: { id: string; children: ReactNode }) {
  return (
    <PersonContext key={id} value={id}>
      {children}
    </PersonContext>
  );
}

/** Who is signed in, by id: what was heard or written for one is not shown to another who signs in after them. */
export function usePerson(): string {
  const person = useContext(PersonContext);
  if (person === null) throw new Error("usePerson needs a Person around it");
  return person;
}
