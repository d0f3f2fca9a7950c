//! A report: headings, text, tables and drawings, written as one HTML page
//! that needs nothing else, and as Markdown with the drawings beside it.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use hathi_view::columns::Align;

use hathi_model::drawing::escape;
use hathi_view::plot::Plot;

/// A report, from top to bottom.
#[derive(Debug)]
pub(crate) struct Document {
    title: String,
    blocks: Vec<Block>,
}

#[derive(Debug)]
enum Block {
    Heading(String),
    /// Words between backticks are set as code.
    Text(String),
    List(Vec<String>),
    Table(Table),
    Figure {
        file: String,
        caption: String,
        svg: String,
    },
}

/// A table with a caption.
#[derive(Debug)]
pub(crate) struct Table {
    caption: String,
    headings: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The first `left` columns are words, the others numbers.
    pub(crate) fn new(caption: &str, headings: &[&str], left: usize) -> Table {
        let align = |i| {
            if i < left { Align::Left } else { Align::Right }
        };
        let headings = headings.iter().enumerate();
        Table {
            caption: caption.to_owned(),
            headings: headings
                .map(|(i, heading)| ((*heading).to_owned(), align(i)))
                .collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Document {
    pub(crate) fn new(title: &str) -> Document {
        Document {
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.blocks.push(Block::Heading(text.to_owned()));
    }

    pub(crate) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    pub(crate) fn list(&mut self, items: Vec<String>) {
        self.blocks.push(Block::List(items));
    }

    pub(crate) fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// A drawing that is not a plot.
    pub(crate) fn drawing(&mut self, file: &str, caption: &str, svg: String) {
        self.blocks.push(Block::Figure {
            file: file.to_owned(),
            caption: caption.to_owned(),
            svg,
        });
    }

    /// `file` is the name of the drawing beside the Markdown.
    pub(crate) fn figure(&mut self, file: &str, caption: &str, plot: &Plot) {
        self.blocks.push(Block::Figure {
            file: file.to_owned(),
            caption: caption.to_owned(),
            svg: plot.svg(),
        });
    }

    /// Writes `report.html`, `report.md` and the drawings into a folder.
    pub(crate) fn save(&self, folder: &Path) -> io::Result<()> {
        for block in &self.blocks {
            if let Block::Figure { file, svg, .. } = block {
                fs::write(folder.join(file), svg)?;
            }
        }
        fs::write(folder.join("report.md"), self.markdown())?;
        fs::write(folder.join("report.html"), self.html())
    }

    fn html(&self) -> String {
        let title = escape(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for block in &self.blocks {
            let _ = match block {
                Block::Heading(text) => writeln!(page, "<h2>{}</h2>", escape(text)),
                Block::Text(text) => writeln!(page, "<p>{}</p>", marked_up(text)),
                Block::List(items) => {
                    let items = items.iter().map(|item| marked_up(item));
                    let items: Vec<String> = items.map(|item| format!("<li>{item}</li>")).collect();
                    writeln!(page, "<ul>\n{}\n</ul>", items.join("\n"))
                }
                Block::Table(table) => writeln!(page, "{}", html_table(table)),
                Block::Figure { caption, svg, .. } => writeln!(
                    page,
                    "<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>",
                    marked_up(caption)
                ),
            };
        }
        page.push_str("</body>\n</html>\n");
        page
    }

    fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for block in &self.blocks {
            let _ = match block {
                Block::Heading(heading) => writeln!(text, "\n## {heading}"),
                Block::Text(words) => writeln!(text, "\n{words}"),
                Block::List(items) => {
                    let items: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
                    writeln!(text, "\n{}", items.join("\n"))
                }
                Block::Table(table) => writeln!(text, "\n{}", markdown_table(table)),
                Block::Figure { file, caption, .. } => {
                    writeln!(text, "\n![{caption}]({file})\n\n*{caption}*")
                }
            };
        }
        text
    }
}

/// Escaped, with words between backticks as code.
fn marked_up(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escape(part);
        let _ = if i % 2 == 1 {
            write!(out, "<code>{part}</code>")
        } else {
            write!(out, "{part}")
        };
    }
    out
}

fn html_table(table: &Table) -> String {
    let cell = |tag: &str, text: &str, align: Align| {
        let class = match align {
            Align::Left => "",
            Align::Right => " class=\"number\"",
        };
        format!("<{tag}{class}>{}</{tag}>", marked_up(text))
    };
    let headings = table.headings.iter();
    let headings: String = headings.map(|(text, a)| cell("th", text, *a)).collect();
    // A wide table scrolls by itself; the page does not.
    let mut out = format!(
        "<div class=\"table\"><table>\n<caption>{}</caption>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n",
        marked_up(&table.caption)
    );
    for row in &table.rows {
        let cells = row.iter().zip(&table.headings);
        let cells: String = cells.map(|(text, (_, a))| cell("td", text, *a)).collect();
        let _ = writeln!(out, "<tr>{cells}</tr>");
    }
    out.push_str("</tbody>\n</table></div>");
    out
}

fn markdown_table(table: &Table) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![format!("**{}**", table.caption), String::new()];
    lines.push(line(
        &mut table.headings.iter().map(|(text, _)| text.clone()),
    ));
    lines.push(line(&mut table.headings.iter().map(|(_, align)| {
        match align {
            Align::Left => "---",
            Align::Right => "---:",
        }
        .to_owned()
    })));
    lines.extend(table.rows.iter().map(|row| line(&mut row.iter().cloned())));
    lines.join("\n")
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--ground:#fff;--rule:#d8dadf;--soft:#f4f5f7}\
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--ground:#1b1d21;--rule:#3a3d43;--soft:#24272c}}\
body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;\
color:var(--ink);background:var(--ground)}\
h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.5rem;\
border-bottom:1px solid var(--rule);padding-bottom:.2rem}\
.table{overflow-x:auto;margin:1.2rem 0}table{border-collapse:collapse;font-size:.875rem}\
caption{text-align:left;font-weight:600;padding-bottom:.4rem}\
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:bottom}\
th{background:var(--soft);font-weight:600}\
.number{text-align:right;font-variant-numeric:tabular-nums}td.number{white-space:nowrap}\
figure{margin:1.5rem 0}figure svg{width:100%;height:auto;border:1px solid var(--rule)}\
figcaption{font-size:.875rem}code{font-size:.875em;white-space:nowrap;background:var(--soft);padding:0 .2em}\
td code{white-space:normal}";

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let mut document = Document::new("Rabbits & cats");
        document.heading("First");
        document.text("Uses `a < b` and more.");
        let mut table = Table::new("A table", &["what", "how many"], 1);
        table.row(["a | b".to_owned(), "12".to_owned()]);
        document.table(table);
        document.list(vec!["one".to_owned()]);
        document
    }

    #[test]
    fn html_is_escaped() {
        let html = document().html();
        for part in [
            "<h1>Rabbits &amp; cats</h1>",
            "<code>a &lt; b</code>",
            "<td>a | b</td><td class=\"number\">12</td>",
            "<li>one</li>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn markdown_tables_have_as_many_cells_as_headings() {
        let text = document().markdown();
        assert!(text.contains("| what | how many |\n| --- | ---: |\n| a \\| b | 12 |"));
        assert!(text.contains("\n## First\n"));
    }
}
