/** Key under which a client's runs of one integration are serialized. */
export const integrationLane = (clientId: string, kind: string): string => `${clientId}/${kind}`;
