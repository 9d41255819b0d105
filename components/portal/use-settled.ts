import { useEffect, useState } from "react";

/** Milliseconds without a key that end a word. */
const TYPING_MS = 150;

/** A value once it hasn't changed for `ms` milliseconds. Objects are compared by content. */
export function useSettled<T extends string | object>(value: T, ms: number = TYPING_MS): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as T), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return settled;
}
