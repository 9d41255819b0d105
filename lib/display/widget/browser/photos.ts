import type { Review } from "../types";
import { h } from "./dom";
import { dialog } from "./host";
import { t, views } from "./service";

export const photosOf = (reviews: Review[]) =>
  reviews.flatMap((review) => review.images.map((image) => ({ image, review })));

/** Shows these reviews' photos in a dialog, starting at `index`. */
export function showPhotos(within: HTMLElement, reviews: Review[], index: number): void {
  const photos = photosOf(reviews);
  const box = dialog(within, t("gallery"), "show");
  const navButton = (step: number, label: string, sign: string) =>
    h("button", { type: "button", class: "plain", "aria-label": label, onclick: () => showPhoto(step) }, sign);
  const back = navButton(-1, t("previousPhoto"), "←");
  const next = navButton(1, t("nextPhoto"), "→");
  const frame = h("div");
  const photoAuthor = h("p");
  let now = index;

  function showPhoto(step: number) {
    now = (now + step + photos.length) % photos.length;
    const { image, review } = photos[now] as (typeof photos)[number];
    frame.replaceChildren(
      h("img", {
        src: image.medium,
        width: image.medium_width,
        height: image.medium_height,
        alt: views.photoLabel(now, photos.length, review.author),
      }),
      h("p", { class: "caption", lang: review.lang }, review.extract),
    );
    photoAuthor.replaceChildren(views.stars(review.score), ` ${review.author ?? t("anonymous")}`);
  }
  box.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft") showPhoto(-1);
    if (key === "ArrowRight") showPhoto(1);
  });
  // Outside the replaced content, so that a pressed button keeps the focus.
  box.append(frame, h("div", { class: "turn" }, photos.length > 1 && back, photoAuthor, photos.length > 1 && next));
  showPhoto(0);
}
