const registry = Symbol.for("candor.per-process");

/**
 * One instance per operating-system process. The server's modules and Next's bundle are two module graphs in one
 * process; what must exist once (pools, caches, group commits, limits) is stored in this registry.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const holder = globalThis as { [registry]?: Map<string, unknown> };
  holder[registry] ??= new Map();
  const known = holder[registry];
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as T;
}
