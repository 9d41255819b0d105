/**
 * The condition that a fact was told to nobody and will not be before it is taken back: its time has not come. By the clock
 * rather than by the beginning of the transaction, which may have waited for rows meanwhile, and once more for a fact that
 * was waited for and taken. One that was taken may have been told, though it is not ticked off yet. The clock is no bound
 * that an index can be asked for; the beginning of the transaction is, and spares all that waits while Inngest is away.
 */
export const untold =
  "relayed_at is null and taken_until is null and available_at > now() and available_at > clock_timestamp() + interval '1 ms'";
