"use client";

import { latePart } from "./late";

/** Windows, menus and messages, which every page has. */
export const windowParts = latePart(async () => (await import("./windows")).windows);
