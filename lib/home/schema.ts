/** What a new client has done of what makes the first review. `testOrder` is the last order made to try things. */
export type FirstSteps = {
  reachable: boolean;
  products: boolean;
  testOrder: string | null;
  ordered: boolean;
  mailed: boolean;
  reviewed: boolean;
  /** nothing of it is left to do */
  done: boolean;
};
