import { ItemPage, type ItemPageProps, itemMetadata } from "@/app/portal/(member)/_item";

export const generateMetadata = (props: ItemPageProps) => itemMetadata("seller_review", "common.sellerReviews", props);

export default function SellerReviewPage(props: ItemPageProps) {
  return <ItemPage kind="seller_review" {...props} />;
}
