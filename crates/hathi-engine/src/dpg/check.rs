//! What a graph can have wrong although every line can be read.

use hathi_rules::{Piece, Role, Side};

use super::{Command, Condition, Content, Graph, GraphError, Node, Pieces, Placement};

/// Everything that is wrong.
pub(super) fn all(graph: &Graph) -> Vec<GraphError> {
    let mut errors = Vec::new();
    placements(graph, &mut errors);
    contradictions(graph, &mut errors);
    reachable(graph, &mut errors);
    fruitful(graph, &mut errors);
    errors
}

fn error(node: &Node, what: impl AsRef<str>) -> GraphError {
    GraphError::new(node.line, what.as_ref())
}

/// Places where nobody can stand.
fn placements(graph: &Graph, errors: &mut Vec<GraphError>) {
    for node in &graph.nodes {
        match &node.content {
            Content::Test(Condition::Place(place)) if !place.negated => {
                if let Some(what) = impossible(*place) {
                    errors.push(error(node, what));
                }
            }
            Content::Test(
                Condition::Guarded { square, .. }
                | Condition::Attacked { square, .. }
                | Condition::Threatened(square),
            ) if !square.is_trap() => {
                errors.push(error(node, format!("{square} is not a trap")));
            }
            Content::Command(command) => {
                if let Some((pieces, area)) = command.wants()
                    && area.squares.into_iter().all(|square| {
                        impossible(Placement {
                            square,
                            pieces,
                            negated: false,
                        })
                        .is_some()
                    })
                {
                    errors.push(error(node, format!("{node}: nobody of them can go there")));
                }
                if let Command::Bring { victims, .. } = command
                    && victims.single() == Some(Piece::SilverElephant)
                {
                    errors.push(error(node, format!("{node}: nobody can move an elephant")));
                }
            }
            _ => {}
        }
    }
}

/// A rabbit on the rank where it would have won.
fn impossible(place: Placement) -> Option<String> {
    let won =
        |piece: Piece| piece.role() == Role::Rabbit && piece.side().goal().contains(place.square);
    place.pieces.iter().all(won).then(|| {
        format!(
            "{}{}: a rabbit there has won, and the game is over",
            place.pieces, place.square
        )
    })
}

/// Two tests in a row that cannot both hold.
fn contradictions(graph: &Graph, errors: &mut Vec<GraphError>) {
    let place = |node: &Node| match &node.content {
        Content::Test(Condition::Place(place)) => Some(*place),
        _ => None,
    };
    for node in &graph.nodes {
        let Some(one) = place(node) else { continue };
        for &next in &node.next {
            let node = &graph.nodes[next];
            if let Some(other) = place(node)
                && exclude(one, other)
            {
                let what = format!("{node} never holds after {}", graph_name(one));
                errors.push(error(node, what));
            }
        }
    }
}

fn graph_name(place: Placement) -> String {
    Condition::Place(place).to_string()
}

fn exclude(one: Placement, other: Placement) -> bool {
    let meet = one.pieces.iter().any(|piece| other.pieces.contains(piece));
    if one.square == other.square {
        return match (one.negated, other.negated) {
            (false, false) => !meet,
            (true, false) => other.pieces.iter().all(|piece| one.pieces.contains(piece)),
            (false, true) => one.pieces.iter().all(|piece| other.pieces.contains(piece)),
            (true, true) => false,
        };
    }
    // There is one elephant and one camel a side.
    !one.negated
        && !other.negated
        && only(one.pieces).is_some()
        && only(one.pieces) == only(other.pieces)
}

fn only(pieces: Pieces) -> Option<(Side, Role)> {
    let piece = pieces.single()?;
    (piece.role().count_at_start() == 1).then(|| (piece.side(), piece.role()))
}

/// Nodes that nothing leads to.
fn reachable(graph: &Graph, errors: &mut Vec<GraphError>) {
    for (node, level) in graph.nodes.iter().zip(graph.levels()) {
        if level.is_none() {
            let what = format!("nothing leads from start to {:?}", node.name);
            errors.push(error(node, what));
        }
    }
}

/// Nodes that lead to no command.
fn fruitful(graph: &Graph, errors: &mut Vec<GraphError>) {
    let mut leads: Vec<bool> = graph.nodes.iter().map(Node::is_command).collect();
    loop {
        let mut changed = false;
        for (index, node) in graph.nodes.iter().enumerate() {
            if !leads[index] && node.next.iter().any(|&next| leads[next]) {
                leads[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (node, leads) in graph.nodes.iter().zip(leads) {
        if !leads {
            let what = if node.name == "start" {
                "there is no command in this graph: end a path with one, such as (go M g3)"
                    .to_owned()
            } else {
                format!("no command can be reached from {:?}", node.name)
            };
            errors.push(error(node, what));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        match Graph::parse_all(text) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, wanted) in [
            ("start -> (go M g3)", "line 1: the graph has no name"),
            (
                "graph x\nstart -> nowhere -> (go M g3)",
                "line 2: there is no node \"nowhere\"",
            ),
            (
                "graph x\nstart -> Ed6",
                "line 2: no command can be reached from \"Ed6\"",
            ),
            (
                "graph x\n\nstart -> Ra8 -> (go M g3)",
                "line 3: Ra8: a rabbit there has won",
            ),
            (
                "graph x\nstart -> (go M g3)\nEd6 -> (go H d3)",
                "line 3: nothing leads from start to \"Ed6\"",
            ),
            (
                "graph x\nstart -> Ed6 -> !Ed6 -> (go M g3)",
                "line 2: !Ed6 never holds after Ed6",
            ),
            (
                "graph x\nstart -> Ed6 -> Ec5 -> (go M g3)",
                "line 2: Ec5 never holds after Ed6",
            ),
            (
                "graph x\nstart -> Ed6 -> Hd6 -> (go M g3)",
                "line 2: Hd6 never holds after Ed6",
            ),
            (
                "graph x\nstart -> (go m g3)",
                "line 2: \"m\" are not pieces of ours",
            ),
            (
                "graph x\nstart -> (fly M g3)",
                "line 2: \"fly M g3\" is no command",
            ),
            ("graph x\nstart -> (go M g3", "line 2: a `)` is missing"),
            (
                "graph x\nstart -> [guarded b3] -> (go M g3)",
                "line 2: b3 is not a trap",
            ),
            (
                "graph x\nstart -> [upside down] -> (go M g3)",
                "line 2: \"upside down\" is no test",
            ),
            (
                "graph x\nstart -> -> (go M g3)",
                "line 2: an arrow leads from nothing",
            ),
            (
                "graph x\nEd6 = Mg3\nstart -> (go M g3)",
                "line 2: \"Ed6\" is no name",
            ),
            (
                "graph x\nwhat is this",
                "line 2: \"what is this\" is neither",
            ),
            (
                "graph x\nstart -> (go R a8) ",
                "line 2: (go R a8): nobody of them can go there",
            ),
            (
                "graph x\nstart -> (bring e d7 d6)",
                "line 2: (bring e d7 d6): nobody can move",
            ),
            (
                "graph x\nstart -> (plan nonsense)",
                "line 2: there is no plan",
            ),
            (
                "graph x\nstart -> (capture b3)",
                "line 2: \"b3\" is not a trap",
            ),
        ] {
            let said = errors(text);
            assert!(
                said.iter().any(|line| line.starts_with(wanted)),
                "{text}\nwanted {wanted}\nsaid {said:?}"
            );
        }
    }

    #[test]
    fn cycles_are_allowed_and_names_are_shared() {
        let graph = Graph::parse(
            "graph x
             about shared nodes and a circle
             again = Ed6
             start -> eb6 -> Ed6 -> !Mg3 -> (go M g3)
             !Mg3 -> !Me3 -> !Mg3
             !Me3 -> (go M e3)
             Ed6 -> [held a6] -> again -> (near M g3)",
        )
        .expect("a graph");
        assert_eq!(graph.nodes().len(), 10);
        assert_eq!(graph.levels()[0], Some(0));
        assert_eq!(graph.about(), "shared nodes and a circle");
    }
}
