import type { Language } from "@/lib/platform/i18n/languages";

/** The wording of the invitation mail. Places in braces are filled before the template sees them. */
export type InvitationWords = {
  subject_one: string;
  subject_many: string;
  preheader: string;
  greeting: string;
  greeting_unnamed: string;
  heading: string;
  intro: string;
  rate: string;
  star: string;
  low: string;
  high: string;
  write_one: string;
  write_many: string;
  more: string;
  seller: string;
  seller_link: string;
  thanks: string;
  why: string;
  opt_out: string;
  opt_out_a: string;
  help: string;
  not_yet: string;
  not_yet_a: string;
  /** the one reminder */
  reminder_subject_one: string;
  reminder_subject_many: string;
  reminder_preheader: string;
  reminder_heading: string;
  reminder_intro: string;
  reminder_why: string;
  /** a mail that asks about the shop alone */
  service_subject: string;
  service_preheader: string;
  service_heading: string;
  service_intro: string;
  service_rate: string;
};

export const invitationWords: Record<Language, InvitationWords> = {
  en: {
    subject_one: "How do you like {product}?",
    subject_many: "How do you like what you bought at {shop}?",
    preheader: "Pick your stars – it takes less than a minute and helps other shoppers.",
    greeting: "Hi {name},",
    greeting_unnamed: "Hi,",
    heading: "How did it turn out?",
    intro:
      "You have had some time with your order from {shop}. Tell others what it is really like – good or bad, both help.",
    rate: "Tap a star to start your review",
    star: "{score} of 5 stars",
    low: "Poor",
    high: "Excellent",
    write_one: "Write a review",
    write_many: "Review all your items",
    more: "There is more in your order: all items are on the review page.",
    seller: "How was {shop} itself?",
    seller_link: "Rate the shop",
    thanks: "Thank you for your time.",
    why: "You get this one mail because you bought something at {shop}.",
    opt_out: "No more of these?",
    opt_out_a: "Unsubscribe",
    help: "Questions about your order?",
    not_yet: "Not arrived yet?",
    not_yet_a: "Let us know",
    reminder_subject_one: "A reminder: how do you like {product}?",
    reminder_subject_many: "A reminder: how do you like what you bought at {shop}?",
    reminder_preheader: "One last time: your stars help other shoppers.",
    reminder_heading: "Still time to tell",
    reminder_intro:
      "A while ago we asked what you think of your order from {shop}. If you have a minute, your word would help others.",
    reminder_why: "This is the only reminder: you bought something at {shop}.",
    service_subject: "How was {shop}?",
    service_preheader: "One click is enough to begin.",
    service_heading: "How was it with us?",
    service_intro: "You ordered at {shop} a while ago. How did ordering, delivery and service go?",
    service_rate: "Tap a star to rate {shop}",
  },
  de: {
    subject_one: "Wie gefällt Ihnen {product}?",
    subject_many: "Wie gefällt Ihnen Ihr Einkauf bei {shop}?",
    preheader: "Einfach Sterne antippen – das dauert keine Minute und hilft anderen.",
    greeting: "Guten Tag {name},",
    greeting_unnamed: "Guten Tag,",
    heading: "Sind Sie zufrieden?",
    intro:
      "Ihre Bestellung bei {shop} ist nun eine Weile bei Ihnen. Erzählen Sie anderen, wie sie wirklich ist – Lob und Kritik helfen gleichermaßen.",
    rate: "Mit einem Stern beginnt Ihre Bewertung",
    star: "{score} von 5 Sternen",
    low: "Schlecht",
    high: "Ausgezeichnet",
    write_one: "Bewertung schreiben",
    write_many: "Alle Artikel bewerten",
    more: "Ihre Bestellung enthält noch mehr: Alle Artikel finden Sie auf der Bewertungsseite.",
    seller: "Und wie war {shop} selbst?",
    seller_link: "Shop bewerten",
    thanks: "Danke, dass Sie sich die Zeit nehmen.",
    why: "Sie erhalten diese eine E-Mail, weil Sie bei {shop} eingekauft haben.",
    opt_out: "Keine solchen E-Mails mehr?",
    opt_out_a: "Abmelden",
    help: "Fragen zu Ihrer Bestellung?",
    not_yet: "Noch nicht angekommen?",
    not_yet_a: "Sagen Sie es uns",
    reminder_subject_one: "Kleine Erinnerung: Wie gefällt Ihnen {product}?",
    reminder_subject_many: "Kleine Erinnerung: Wie gefällt Ihnen Ihr Einkauf bei {shop}?",
    reminder_preheader: "Ein letztes Mal: Ihre Sterne helfen anderen.",
    reminder_heading: "Noch können Sie es erzählen",
    reminder_intro:
      "Vor einer Weile haben wir gefragt, wie zufrieden Sie mit Ihrer Bestellung bei {shop} sind. Wenn Sie eine Minute haben, hilft Ihr Urteil anderen.",
    reminder_why: "Dies ist die einzige Erinnerung: Sie haben bei {shop} eingekauft.",
    service_subject: "Wie war es bei {shop}?",
    service_preheader: "Ein Klick genügt für den Anfang.",
    service_heading: "Wie war es bei uns?",
    service_intro: "Sie haben vor einer Weile bei {shop} bestellt. Wie liefen Bestellung, Lieferung und Service?",
    service_rate: "Mit einem Stern bewerten Sie {shop}",
  },
  fr: {
    subject_one: "Que pensez-vous de {product} ?",
    subject_many: "Que pensez-vous de votre achat chez {shop} ?",
    preheader: "Choisissez vos étoiles : cela prend moins d’une minute et aide les autres.",
    greeting: "Bonjour {name},",
    greeting_unnamed: "Bonjour,",
    heading: "Alors, satisfait ?",
    intro:
      "Vous avez eu le temps de découvrir votre commande chez {shop}. Dites aux autres ce qu’elle vaut vraiment : éloges et critiques aident tout autant.",
    rate: "Touchez une étoile pour commencer votre avis",
    star: "{score} étoiles sur 5",
    low: "Mauvais",
    high: "Excellent",
    write_one: "Écrire un avis",
    write_many: "Évaluer tous vos articles",
    more: "Votre commande contient d’autres articles : ils sont tous sur la page d’avis.",
    seller: "Et {shop}, c’était comment ?",
    seller_link: "Évaluer la boutique",
    thanks: "Merci pour votre temps.",
    why: "Vous recevez cet unique e-mail parce que vous avez acheté chez {shop}.",
    opt_out: "Ne plus en recevoir ?",
    opt_out_a: "Se désabonner",
    help: "Une question sur votre commande ?",
    not_yet: "Pas encore reçu ?",
    not_yet_a: "Dites-le-nous",
    reminder_subject_one: "Petit rappel : que pensez-vous de {product} ?",
    reminder_subject_many: "Petit rappel : que pensez-vous de votre achat chez {shop} ?",
    reminder_preheader: "Une dernière fois : vos étoiles aident les autres.",
    reminder_heading: "Il est encore temps de le dire",
    reminder_intro:
      "Il y a quelque temps, nous vous avons demandé votre avis sur votre commande chez {shop}. Si vous avez une minute, il aiderait les autres.",
    reminder_why: "C’est le seul rappel : vous avez acheté chez {shop}.",
    service_subject: "Comment était {shop} ?",
    service_preheader: "Un clic suffit pour commencer.",
    service_heading: "Comment était-ce chez nous ?",
    service_intro:
      "Vous avez commandé chez {shop} il y a quelque temps. Comment se sont passés la commande, la livraison et le service ?",
    service_rate: "Touchez une étoile pour évaluer {shop}",
  },
  es: {
    subject_one: "¿Qué te parece {product}?",
    subject_many: "¿Qué te parece tu compra en {shop}?",
    preheader: "Elige tus estrellas: tardas menos de un minuto y ayudas a los demás.",
    greeting: "Hola, {name}:",
    greeting_unnamed: "Hola:",
    heading: "¿Qué tal ha ido?",
    intro:
      "Ya llevas un tiempo con tu pedido de {shop}. Cuenta a los demás cómo es de verdad: tanto lo bueno como lo malo ayuda.",
    rate: "Toca una estrella para empezar tu opinión",
    star: "{score} de 5 estrellas",
    low: "Malo",
    high: "Excelente",
    write_one: "Escribir una opinión",
    write_many: "Opinar sobre todos los artículos",
    more: "Tu pedido tiene más artículos: los encontrarás todos en la página de opiniones.",
    seller: "¿Y qué tal {shop}?",
    seller_link: "Valorar la tienda",
    thanks: "Gracias por tu tiempo.",
    why: "Recibes este único correo porque compraste en {shop}.",
    opt_out: "¿No quieres recibir más?",
    opt_out_a: "Darse de baja",
    help: "¿Preguntas sobre tu pedido?",
    not_yet: "¿Aún no ha llegado?",
    not_yet_a: "Dínoslo",
    reminder_subject_one: "Un recordatorio: ¿qué te parece {product}?",
    reminder_subject_many: "Un recordatorio: ¿qué te parece tu compra en {shop}?",
    reminder_preheader: "Por última vez: tus estrellas ayudan a los demás.",
    reminder_heading: "Aún puedes contarlo",
    reminder_intro:
      "Hace un tiempo te preguntamos qué te parecía tu pedido de {shop}. Si tienes un minuto, tu opinión ayudaría a otros.",
    reminder_why: "Este es el único recordatorio: compraste en {shop}.",
    service_subject: "¿Qué tal {shop}?",
    service_preheader: "Basta un clic para empezar.",
    service_heading: "¿Qué tal con nosotros?",
    service_intro: "Hace un tiempo hiciste un pedido en {shop}. ¿Qué tal el pedido, la entrega y la atención?",
    service_rate: "Toca una estrella para valorar {shop}",
  },
  sv: {
    subject_one: "Vad tycker du om {product}?",
    subject_many: "Vad tycker du om ditt köp hos {shop}?",
    preheader: "Välj dina stjärnor – det tar mindre än en minut och hjälper andra.",
    greeting: "Hej {name}!",
    greeting_unnamed: "Hej!",
    heading: "Hur blev det?",
    intro:
      "Nu har du haft din beställning från {shop} ett tag. Berätta för andra hur den verkligen är – både ris och ros hjälper.",
    rate: "Tryck på en stjärna för att börja",
    star: "{score} av 5 stjärnor",
    low: "Dåligt",
    high: "Utmärkt",
    write_one: "Skriv ett omdöme",
    write_many: "Betygsätt alla varor",
    more: "Det finns mer i din beställning: alla varor finns på omdömessidan.",
    seller: "Och hur var {shop}?",
    seller_link: "Betygsätt butiken",
    thanks: "Tack för din tid.",
    why: "Du får det här enda mejlet för att du har handlat hos {shop}.",
    opt_out: "Vill du slippa?",
    opt_out_a: "Avregistrera dig",
    help: "Frågor om din beställning?",
    not_yet: "Inte framme än?",
    not_yet_a: "Säg till",
    reminder_subject_one: "En påminnelse: vad tycker du om {product}?",
    reminder_subject_many: "En påminnelse: vad tycker du om ditt köp hos {shop}?",
    reminder_preheader: "En sista gång: dina stjärnor hjälper andra.",
    reminder_heading: "Du hinner fortfarande berätta",
    reminder_intro:
      "För ett tag sedan frågade vi vad du tycker om din beställning från {shop}. Om du har en minut skulle ditt omdöme hjälpa andra.",
    reminder_why: "Det här är den enda påminnelsen: du har handlat hos {shop}.",
    service_subject: "Hur var {shop}?",
    service_preheader: "Ett klick räcker för att börja.",
    service_heading: "Hur var det hos oss?",
    service_intro: "Du beställde från {shop} för ett tag sedan. Hur gick det med beställning, leverans och service?",
    service_rate: "Tryck på en stjärna för att betygsätta {shop}",
  },
};
