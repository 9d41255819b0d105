/** What a new client has done of what makes the first review. `testOrder` is the last order made to try things. */
export type FirstSteps = {
  reachable: boolean;
  products: boolean;
  testOrder: string | null;
  ordered: boolean;
  mailed: boolean;
  /** somebody opened a mail or its link, or wrote a review */
  read: boolean;
  /** the form that the test order's mail leads to */
  form: string | null;
  reviewed: boolean;
  /** nothing of it is left to do */
  done: boolean;
};
