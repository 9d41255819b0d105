/** What names a client's integration among the runs that follow each other. */
export const integrationLane = (clientId: string, kind: string): string => `${clientId}/${kind}`;
