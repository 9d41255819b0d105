// Put in place of these names when the script is built.

/** The styles of all that is shown in a page. */
declare const __STYLES__: string;
/** The styles of forms. */
declare const __FORM_STYLES__: string;
