"use client";

import { DialogWindow } from "./dialog-window";
import { MenuList, MenuListItem, MenuListLabel, MenuListLine } from "./menu-list";
import { ToastList } from "./toast-list";

/** What a page needs only once somebody does something: fetched together, see late.ts. */
export const windows = {
  DialogWindow,
  MenuList,
  MenuListItem,
  MenuListLabel,
  MenuListLine,
  ToastList,
};
