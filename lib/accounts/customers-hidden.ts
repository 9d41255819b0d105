import { AppError } from "@/lib/platform/errors";

/** The error for filtering by person without permission to see people: hits and misses would reveal hidden data. */
export const customersHiddenError = (field: string): AppError =>
  new AppError("forbidden", { reason: "role_sees_no_customers", field });
