const registry = Symbol.for("candor.per-process");

/** The instances of this process by name. */
export function instances(): Map<string, unknown> {
  const holder = globalThis as { [registry]?: Map<string, unknown> };
  holder[registry] ??= new Map();
  return holder[registry];
}

/**
 * One instance per operating-system process. The server's modules and Next's bundle are two module graphs in one
 * process; what must exist once (pools, caches, group commits, limits) is stored in this registry.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const known = instances();
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as T;
}
