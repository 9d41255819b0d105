/** Whether a click follows a link in this tab: with a modifier or another button, the browser opens it elsewhere. */
export const isPlainClick = ({
  metaKey,
  ctrlKey,
  shiftKey,
  button,
}: Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "button">): boolean =>
  !metaKey && !ctrlKey && !shiftKey && button === 0;
