import { ItemPage, type ItemPageProps, itemMetadata } from "@/app/portal/(member)/_item";

export const generateMetadata = (props: ItemPageProps) => itemMetadata("review", "common.reviews", props);

export default function ReviewPage(props: ItemPageProps) {
  return <ItemPage kind="review" {...props} />;
}
