/** What names a client's integration among the runs that follow each other. */
export const laneOf = (clientId: string, kind: string): string => `${clientId}/${kind}`;
