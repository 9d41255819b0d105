import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";
import {
  ImageParams,
  ImageQuery,
  Logo,
  LogoForm,
  MAX_IMAGE_BYTES,
  UploadForm,
  UploadResult,
} from "@/lib/reviews/uploads/schema";

export const uploadImageContract = endpoint({
  id: "uploads.create",
  method: "POST",
  path: "/uploader",
  tag: "Collection",
  summary: "Upload an image for a later submission",
  description:
    "The image is validated by its content, rotated upright, stripped of all metadata and stored in three sizes. Put the unchanged response into `images` of a review or question within 24 hours. A token works once.",
  auth: "public_key",
  accepts: "multipart",
  body: UploadForm,
  // Includes the multipart form around the file.
  maxBody: MAX_IMAGE_BYTES + 64 * 1024,
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
  summary: "Retrieve an image of a review in one of its sizes",
  description:
    "Reviews contain the URLs of their images. Images of published reviews are public. Images of other reviews need the signature from a management response, valid for an hour.",
  auth: "public",
  params: ImageParams,
  query: ImageQuery,
  produces: "image/*",
  alternatives: { 304: undefined },
  example: { params: { key: "4b1d2f0e9a8c7b6a5d4c3b2a1f0e9d8c", file: "medium.jpg" } },
});

export const uploadLogoContract = endpoint({
  id: "portal.logos.create",
  method: "POST",
  path: "/portal/api/v1/logos",
  tag: "Portal",
  summary: "Upload a logo",
  description: "Returns its public URL and size in emails, for the settings. Settings aren't changed.",
  auth: "session",
  accepts: "multipart",
  body: LogoForm,
  // Includes the multipart form around the file.
  maxBody: MAX_IMAGE_BYTES + 64 * 1024,
  status: 201,
  response: single(Logo),
  limit: "upload",
});
