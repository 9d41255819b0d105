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
  example: {
    body: { client_id: "shop.example.com", api_key: "pk_0f3a…", file: "(the bytes of photo.jpg)" },
    answer: { token: "9c1185a5c5e9fc54612808977ee8f548", format: "jpeg", width: 3024, height: 4032 },
  },
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
  example: { params: { key: "4b1d2f0e9a8c7b6a5d4c3b2a1f0e9d8c", file: "medium.jpg" } },
});
