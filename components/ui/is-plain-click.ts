/** Whether a click follows a link in this tab: with a modifier or another button, the browser opens it elsewhere or saves it. */
export const isPlainClick = ({
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
  button,
}: Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "altKey" | "button">): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0;
