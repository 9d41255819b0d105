/** SQL of the lock that an import holds while it writes photos of a client ($1) whose rows aren't committed yet. */
export const photoImportLock = "hashtextextended('candor-store-import:' || $1, 0)";
