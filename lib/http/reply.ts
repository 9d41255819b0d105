/** JSON that is already text (or bytes): passed through as it is. */
export class RawJson {
  constructor(readonly text: string | Uint8Array<ArrayBuffer>) {}
}

/** An answer with another status or more headers than the contract's plain success. */
export class Reply<T = unknown> {
  constructor(
    readonly body: T | RawJson | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** What a handler may return for an answer of shape `T`. */
export type Returned<T> = T | RawJson | Reply<T>;
