import UnknownShop from "@/app/reviews/new/not-found";

/** As of the form for reviews: a link of a shop that is not ours says so. */
export default UnknownShop;
