import { ItemPage, type ItemPageProps, itemMetadata } from "@/app/portal/(member)/_item";

export const generateMetadata = (props: ItemPageProps) => itemMetadata("question", "common.questions", props);

export default function QuestionPage(props: ItemPageProps) {
  return <ItemPage kind="question" {...props} />;
}
