// Replaced at build time.

/** The styles of everything shown in a page. */
declare const __STYLES__: string;
/** The styles of forms. */
declare const __FORM_STYLES__: string;
