import { AppError } from "@/lib/platform/errors";

/** The answer to a filter by person from somebody who may not see people: hits and misses would tell what is hidden. */
export const customersHiddenError = (field: string): AppError =>
  new AppError("forbidden", { reason: "role_sees_no_customers", field });
