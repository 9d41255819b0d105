import { endpoint } from "@/lib/platform/http/contract";
import { ImageParams, ImageQuery, MOST_BYTES, UploadForm, UploadResult } from "@/lib/reviews/uploads/schema";

export const uploadImageContract = endpoint({
  id: "uploads.create",
  method: "POST",
  path: "/uploader",
  tag: "Collection",
  summary: "Upload an image for a later submission",
  description:
    "The image is judged by its content, turned upright, freed of all metadata and stored in three sizes. Place the answer unchanged in `images` of a review or question within 24 hours; a token serves once.",
  auth: "public_key",
  accepts: "multipart",
  body: UploadForm,
  // the form around the file
  maxBody: MOST_BYTES + 64 * 1024,
  response: UploadResult,
  limit: "upload",
});

export const readImageContract = endpoint({
  id: "images.get",
  method: "GET",
  path: "/images/{key}/{file}",
  tag: "Display",
  summary: "An image of a review in one of its sizes",
  description:
    "Addresses come with reviews. Images of accepted reviews are public; those of reviews that wait need the signature that management answers give, for an hour.",
  auth: "public",
  params: ImageParams,
  query: ImageQuery,
  produces: "image/*",
  alternatives: { 304: undefined },
});
