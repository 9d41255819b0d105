/** A path with the store that it's about, for people with several. */
export const withStore = (path: string, clientId: string | undefined): string =>
  clientId === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}client_id=${encodeURIComponent(clientId)}`;
