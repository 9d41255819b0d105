import type { Room } from "@/lib/platform/i18n/rooms";

/** The widget as settings show it. */
export const widget: Room = {
  "Stars under the product's name": [
    "Sterne unter dem Produktnamen",
    "Étoiles sous le nom du produit",
    "Estrellas bajo el nombre del producto",
    "Stjärnor under produktnamnet",
  ],
  "How the shop is rated": [
    "Bewertung des Shops insgesamt",
    "La note de la boutique",
    "Cómo se valora la tienda",
    "Butikens betyg",
  ],
  "The widget": ["Das Widget", "Le widget", "El widget", "Widgeten"],
  "One script of 11 kB. It takes your page's font and colours, light or dark, and sets no cookie.": [
    "Ein Skript von 11 kB. Es übernimmt Schrift und Farben Ihrer Seite, hell oder dunkel, und setzt kein Cookie.",
    "Un script de 11 ko. Il reprend la police et les couleurs de votre page, claire ou sombre, et ne dépose aucun cookie.",
    "Un script de 11 kB. Adopta la fuente y los colores de su página, clara u oscura, y no deja cookies.",
    "Ett skript på 11 kB. Det tar sidans typsnitt och färger, ljust eller mörkt, och sätter ingen kaka.",
  ],
  Parts: ["Teile", "Éléments", "Partes", "Delar"],
  "Put this into your product pages": [
    "In Ihre Produktseiten einfügen",
    "À placer dans vos pages produit",
    "Póngalo en sus páginas de producto",
    "Lägg in detta på produktsidorna",
  ],
  "Write the product's id of your feed where it says {place}. All commands, and how to do it without a script, are in the {documentation}.":
    [
      "Statt {place} steht die Produkt-ID aus Ihrem Feed. Alle Befehle, und wie es ohne Skript geht, finden Sie in der {documentation}.",
      "Remplacez {place} par l’identifiant du produit dans votre flux. Toutes les commandes, et la méthode sans script, sont dans la {documentation}.",
      "Escriba en lugar de {place} el id del producto en su feed. Todos los comandos, y cómo hacerlo sin script, están en la {documentation}.",
      "Skriv produktens id i flödet i stället för {place}. Alla kommandon, och hur det görs utan skript, finns i {documentation}.",
    ],
  documentation: ["Dokumentation", "documentation", "documentación", "dokumentationen"],
  Preview: ["Vorschau", "Aperçu", "Vista previa", "Förhandsvisning"],
  "Product of the preview": [
    "Produkt der Vorschau",
    "Produit de l’aperçu",
    "Producto de la vista previa",
    "Produkt i förhandsvisningen",
  ],
  "Language of the preview": [
    "Sprache der Vorschau",
    "Langue de l’aperçu",
    "Idioma de la vista previa",
    "Språk i förhandsvisningen",
  ],
  "The shop’s language": ["Sprache des Shops", "Langue de la boutique", "Idioma de la tienda", "Butikens språk"],
  "On light": ["Auf Hell", "Sur clair", "Sobre claro", "På ljust"],
  "On dark": ["Auf Dunkel", "Sur sombre", "Sobre oscuro", "På mörkt"],
  Wide: ["Breit", "Large", "Ancho", "Bred"],
  Phone: ["Telefon", "Mobile", "Móvil", "Mobil"],
  "No product to show yet": [
    "Noch kein Produkt zu zeigen",
    "Pas encore de produit à montrer",
    "Aún no hay ningún producto que mostrar",
    "Ingen produkt att visa ännu",
  ],
  "As soon as a feed or an order brought products, the widget shows here as in your shop.": [
    "Sobald ein Feed oder eine Bestellung Produkte gebracht hat, erscheint das Widget hier wie in Ihrem Shop.",
    "Dès qu’un flux ou une commande apporte des produits, le widget s’affiche ici comme dans votre boutique.",
    "En cuanto un feed o un pedido traiga productos, el widget se verá aquí como en su tienda.",
    "Så snart ett flöde eller en order gett produkter visas widgeten här som i butiken.",
  ],
  "Preview of the widget": [
    "Vorschau des Widgets",
    "Aperçu du widget",
    "Vista previa del widget",
    "Förhandsvisning av widgeten",
  ],
};
