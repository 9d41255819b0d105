import type { Room } from "@/lib/platform/i18n/rooms";

/** The templates of invitations, and the mail that they make. */
export const templates: Room = {
  "Empty: ours, as shown below.": [
    "Leer: unsere, wie unten gezeigt.",
    "Vide : le nôtre, comme ci-dessous.",
    "Vacío: la nuestra, como se ve abajo.",
    "Tomt: vår, som nedan.",
  ],
  "Begin with ours": ["Mit unserer beginnen", "Partir du nôtre", "Empezar por la nuestra", "Börja med vår"],
  "Empty: the one for all languages, as shown below.": [
    "Leer: die für alle Sprachen, wie unten gezeigt.",
    "Vide : celui de toutes les langues, comme ci-dessous.",
    "Vacío: la de todos los idiomas, como se ve abajo.",
    "Tomt: den för alla språk, som nedan.",
  ],
  "Begin with the one for all languages": [
    "Mit der für alle Sprachen beginnen",
    "Partir de celui de toutes les langues",
    "Empezar por la de todos los idiomas",
    "Börja med den för alla språk",
  ],
  "Your own templates": ["Ihre eigenen Vorlagen", "Vos propres modèles", "Sus propias plantillas", "Dina egna mallar"],
  "Your own templates, {language}": [
    "Ihre eigenen Vorlagen: {language}",
    "Vos propres modèles : {language}",
    "Sus propias plantillas: {language}",
    "Dina egna mallar: {language}",
  ],
  "In Liquid, for every language that has none of its own: {{ language }} says which it is, and our own wording comes in it. What you leave blank stays as Candor ships it.":
    [
      "In Liquid, für jede Sprache ohne eigene Vorlage: {{ language }} sagt, welche es ist, und unsere Texte kommen in ihr. Was Sie leer lassen, bleibt so, wie Candor es mitbringt.",
      "En Liquid, pour toute langue sans modèle propre : {{ language }} dit laquelle, et nos textes y sont écrits. Ce que vous laissez vide reste tel que Candor le fournit.",
      "En Liquid, para todo idioma sin plantilla propia: {{ language }} dice cuál es, y nuestros textos llegan en él. Lo que deje vacío queda como lo trae Candor.",
      "I Liquid, för varje språk utan egen mall: {{ language }} säger vilket, och våra texter kommer på det. Det du lämnar tomt förblir som Candor levererar det.",
    ],
  "In Liquid, for customers of this language. What is blank is as for all languages.": [
    "In Liquid, für Kunden dieser Sprache. Was leer ist, ist wie für alle Sprachen.",
    "En Liquid, pour les clients de cette langue. Ce qui est vide est comme pour toutes les langues.",
    "En Liquid, para clientes de este idioma. Lo vacío es como para todos los idiomas.",
    "I Liquid, för kunder med detta språk. Det som är tomt är som för alla språk.",
  ],
  "{{ subject }} is ours; {{ client_name }} and {{ items[0].name }} are yours to use.": [
    "{{ subject }} ist unserer; {{ client_name }} und {{ items[0].name }} können Sie verwenden.",
    "{{ subject }} est le nôtre ; {{ client_name }} et {{ items[0].name }} sont à votre disposition.",
    "{{ subject }} es el nuestro; {{ client_name }} y {{ items[0].name }} están a su disposición.",
    "{{ subject }} är vårt; {{ client_name }} och {{ items[0].name }} får du använda.",
  ],
  "Empty: the one for all languages.": [
    "Leer: der für alle Sprachen.",
    "Vide : celui de toutes les langues.",
    "Vacío: el de todos los idiomas.",
    "Tomt: det för alla språk.",
  ],
  "It must link to {{ opt_out_url }} and {{ review_url }}. Values are escaped.": [
    "Muss auf {{ opt_out_url }} und {{ review_url }} verlinken. Werte werden maskiert.",
    "Doit mener à {{ opt_out_url }} et {{ review_url }}. Les valeurs sont échappées.",
    "Debe enlazar a {{ opt_out_url }} y {{ review_url }}. Los valores se escapan.",
    "Måste länka till {{ opt_out_url }} och {{ review_url }}. Värden görs ofarliga.",
  ],
  "For readers that show no HTML; it must name the same two.": [
    "Für Programme, die kein HTML zeigen; muss dieselben zwei Adressen nennen.",
    "Pour les logiciels sans HTML ; il doit citer les deux mêmes adresses.",
    "Para lectores sin HTML; debe nombrar las mismas dos direcciones.",
    "För program som inte visar HTML; måste nämna samma två adresser.",
  ],
  "Language of the templates": [
    "Sprache der Vorlagen",
    "Langue des modèles",
    "Idioma de las plantillas",
    "Mallarnas språk",
  ],
  "All languages": ["Alle Sprachen", "Toutes les langues", "Todos los idiomas", "Alla språk"],
  "(has its own)": ["(hat eigene)", "(a les siens)", "(tiene las suyas)", "(har egna)"],
  "The mail as it would be": [
    "Die E-Mail, wie sie wäre",
    "L’e-mail tel qu’il serait",
    "El correo tal como sería",
    "Mejlet som det skulle se ut",
  ],
  "With products of your catalogue and a customer who does not exist. It follows what you write above.": [
    "Mit Produkten Ihres Katalogs und einem erfundenen Kunden. Sie folgt dem, was Sie oben schreiben.",
    "Avec des produits de votre catalogue et un client fictif. Il suit ce que vous écrivez plus haut.",
    "Con productos de su catálogo y un cliente que no existe. Sigue lo que escribe arriba.",
    "Med produkter ur din katalog och en påhittad kund. Det följer det du skriver ovan.",
  ],
  "About the shop alone": ["Nur zum Shop", "Sur la boutique seule", "Solo sobre la tienda", "Bara om butiken"],
  "As on a desk": ["Wie am Rechner", "Comme sur ordinateur", "Como en un ordenador", "Som på en dator"],
  "As on a phone": ["Wie am Telefon", "Comme sur mobile", "Como en un móvil", "Som på en mobil"],
  "{template}: {name} means nothing, and is filled in with nothing.": [
    "{template}: {name} bedeutet nichts und bleibt leer.",
    "{template} : {name} ne signifie rien et reste vide.",
    "{template}: {name} no significa nada y queda vacío.",
    "{template}: {name} betyder inget och lämnas tomt.",
  ],
  "Send it to yourself": ["An sich selbst senden", "Vous l’envoyer", "Enviárselo a usted", "Skicka till dig själv"],
  "Send a test": ["Test senden", "Envoyer un test", "Enviar una prueba", "Skicka ett test"],
  "It is on its way, marked [Test] in the subject. It counts for nothing.": [
    "Sie ist unterwegs, mit [Test] im Betreff. Sie zählt nicht mit.",
    "Il est en route, avec [Test] dans l’objet. Il ne compte pas.",
    "Está en camino, con [Test] en el asunto. No cuenta para nada.",
    "Det är på väg, med [Test] i ämnet. Det räknas inte.",
  ],
};
