/** A new client's progress toward its first review. `testOrder` is the latest test order. */
export type FirstSteps = {
  reachable: boolean;
  products: boolean;
  testOrder: string | null;
  ordered: boolean;
  mailed: boolean;
  /** an email or its link was opened, or a review was written */
  read: boolean;
  /** the form that the test order's email links to */
  form: string | null;
  reviewed: boolean;
  /** all steps are completed */
  done: boolean;
};
